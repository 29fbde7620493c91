import { describe, expect, test } from 'vitest';
import type { CommandName } from '../../src/cli/option-types.ts';
import { longFlag, optionsOf } from '../../src/cli/options.ts';
import { type Invocation, parseCommandLine } from '../../src/cli/program.ts';
import { MemplanError } from '../../src/errors.ts';

const VERSION = '1.2.3';

function parse(
  argv: readonly string[],
  columns?: number,
): { asked: Invocation | undefined; printed: string } {
  let printed = '';
  const write = (text: string) => {
    printed += text;
  };
  return { asked: parseCommandLine(argv, VERSION, { write, columns }), printed };
}

function usageOf(argv: readonly string[]): { text: string; hint: string | null } {
  try {
    parse(argv);
  } catch (error) {
    if (error instanceof MemplanError && error.code === 'E_USAGE') return error.diagnostics[0]!;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('which command', () => {
  test.each<[string[], CommandName, string[]]>([
    [['a.onnx', '--target', 't'], 'plan', ['a.onnx']],
    [['a.onnx', 'b.onnx'], 'plan', ['a.onnx', 'b.onnx']],
    [[], 'plan', []],
    [['./solve'], 'plan', ['./solve']],
    [['--', '-odd.onnx'], 'plan', ['-odd.onnx']],
    [['solve', 'p.csv'], 'solve', ['p.csv']],
    [['verify', 'plan.json'], 'verify', ['plan.json']],
    [['diff', 'a.json', 'b.json'], 'diff', ['a.json', 'b.json']],
    [['explain', 'a.onnx'], 'explain', ['a.onnx']],
    [['shapes', 'a.onnx'], 'shapes', ['a.onnx']],
    [['targets'], 'targets', []],
    [['targets', 'stm32h743'], 'targets', ['stm32h743']],
    [['ops', 'Conv'], 'ops', ['Conv']],
  ])('%j', (argv, command, operands) => {
    const { asked, printed } = parse(argv);
    expect(asked).toMatchObject({ command, operands });
    expect(printed).toBe('');
  });

  test('options may stand before and after the operands', () => {
    const { asked } = parse(['--target', 't', 'a.onnx', '--align', '8', '-q']);
    expect(asked).toMatchObject({ operands: ['a.onnx'], options: { target: 't', align: '8', quiet: true } });
  });

  test('repeated options are collected in their order', () => {
    const { asked } = parse(['a.onnx', '--dim', 'a=1', '--keep', 'x', '--dim', 'b=2', '--keep', '--odd']);
    expect(asked!.options).toMatchObject({ dim: ['a=1', 'b=2'], keep: ['x', '--odd'] });
  });

  test('output options may stand before the command', () => {
    expect(parse(['--json', 'solve', 'p.csv']).asked).toMatchObject({
      command: 'solve',
      options: { json: true },
    });
  });

  test('an option of the main job before another command is refused', () => {
    expect(usageOf(['--target', 't', 'solve', 'p.csv']).text).toBe('--target is no option of memplan solve');
    expect(usageOf(['--no-config', 'solve', 'p.csv']).text).toBe('--no-config is no option of memplan solve');
    expect(usageOf(['--config', 'c.json', 'solve', 'p.csv']).text).toBe(
      '--config is no option of memplan solve',
    );
  });
});

describe('usage faults', () => {
  test.each([
    [['a.onnx', '--aling', '4'], "unknown option '--aling'", 'did you mean --align?'],
    [['solve', 'p.csv', '--target', 'x'], "unknown option '--target'", 'memplan solve --help'],
    [['a.onnx', '--target'], "option '--target <name|file>' argument missing", 'memplan --help'],
    [['solve'], "missing required argument 'problem.csv'", 'memplan solve --help'],
    [['diff', 'a.json'], "missing required argument 'new-plan.json'", 'memplan diff --help'],
    [['diff', 'a', 'b', '--baseline', 'c'], "unknown option '--baseline'", 'memplan diff --help'],
    [['ops', 'a', 'b'], "too many arguments for 'ops'. Expected 1 argument but got 2.", 'memplan ops --help'],
  ])('%j', (argv, text, hint) => {
    expect(usageOf(argv)).toMatchObject({ text, hint });
  });
});

describe('help', () => {
  const commands: readonly CommandName[] = [
    'plan',
    'solve',
    'verify',
    'check-elf',
    'diff',
    'explain',
    'shapes',
    'targets',
    'ops',
  ];
  const help = (command: CommandName, columns: number) =>
    parse(command === 'plan' ? ['--help'] : [command, '--help'], columns).printed;

  test.each(commands)('%s: fits 100 and 80 columns, leads with an example, names every option', (command) => {
    for (const columns of [100, 80, 300]) {
      const text = help(command, columns);
      const longest = Math.max(...text.split('\n').map((line) => line.length));
      expect(longest).toBeLessThanOrEqual(Math.min(columns, 100));
      expect(text.indexOf('Example')).toBeLessThan(text.indexOf('Usage'));
      expect(text).toMatch(/Examples?:\n {2}memplan /);
      for (const row of optionsOf(command).flatMap(({ rows }) => rows)) expect(text).toContain(longFlag(row));
    }
  });

  test('says which values an option has', () => {
    expect(help('plan', 100).replace(/\s+/g, ' ')).toMatch(/--weights .*: flash, ram, hybrid, stage /);
  });

  test('--version prints the version alone', () => {
    expect(parse(['--version'])).toEqual({ asked: undefined, printed: `${VERSION}\n` });
  });

  test.each([['--help'], ['-h'], ['help']])('memplan %s', (flag) => {
    expect(parse([flag])).toEqual({ asked: undefined, printed: help('plan', 80) });
  });

  test('memplan help solve', () => {
    expect(parse(['help', 'solve']).printed).toBe(help('solve', 80));
  });
});

test('no command has two options of one name', () => {
  for (const command of ['plan', 'solve', 'verify', 'explain'] as const) {
    const flags = optionsOf(command).flatMap(({ rows }) => rows.map(longFlag));
    expect(new Set(flags).size).toBe(flags.length);
  }
});
