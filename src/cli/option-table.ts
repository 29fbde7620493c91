/**
 * The table of every option: the one source of the parser, the help, and the documentation.
 * An option that is not built yet still parses: its neutral value is accepted, any other is answered with a sentence.
 */
import type { CommandName, OptionGroup } from './option-types.ts';
import { parseCount, parseFactors, parseList, parsePair, parseSize } from './values.ts';

const JOB: readonly CommandName[] = ['plan', 'explain'];
const SHAPED: readonly CommandName[] = ['plan', 'explain', 'shapes'];
const SOLVED: readonly CommandName[] = ['plan', 'explain', 'solve'];
const MAIN: readonly CommandName[] = ['plan'];
const ALL: readonly CommandName[] = [
  'plan',
  'solve',
  'verify',
  'diff',
  'explain',
  'shapes',
  'targets',
  'ops',
];

const pair = (example: string) => (flag: string, text: string) => parsePair(flag, text, '=', example);

/** `TENSOR=REGION[@OFFSET]`: the offset is a size. */
function pin(flag: string, text: string): void {
  const { value } = parsePair(flag, text, '=', 'conv1=DTCM@0x100');
  const at = value.lastIndexOf('@');
  if (at >= 0) parseSize(flag, value.slice(at + 1));
}

export const OPTION_GROUPS: readonly OptionGroup[] = [
  {
    title: 'Model and target',
    rows: [
      { flags: '--target <name|file>', about: 'built-in chip, or a target file', commands: JOB },
      {
        flags: '--dim <name=n>',
        about: 'size of a named dimension; *=n for all that are open',
        commands: SHAPED,
        repeat: true,
      },
      {
        flags: '--input-shape <name:sizes>',
        about: 'shape of one input, as in x:1,3,224,224',
        commands: SHAPED,
        repeat: true,
      },
      {
        flags: '--op-shape <node:type,sizes>',
        about: 'output of a node without a shape rule; / between several outputs',
        commands: SHAPED,
        repeat: true,
      },
      {
        flags: '--bucket <name=a,b,c>',
        about: 'several sizes of a dimension, one table each',
        commands: JOB,
        repeat: true,
        later: true,
        syntax: (flag, text) => {
          const { value } = parsePair(flag, text, '=', 'seq=64,128,512');
          for (const size of parseList(flag, value)) parseCount(flag, size, 1);
        },
      },
      {
        flags: '--assume <type>',
        about: 'estimate: count floats as if they were quantised',
        commands: JOB,
        values: ['int8'],
      },
      {
        flags: '--scale-input <factors>',
        about: 'estimate: arenas for images of other sizes, as in 0.5,0.75,1; writes no files',
        commands: MAIN,
        syntax: parseFactors,
      },
      {
        flags: '--max-size <tensor=n>',
        about: 'largest number of elements of a tensor whose size depends on data',
        commands: JOB,
        repeat: true,
        later: true,
        syntax: (flag, text) => parseCount(flag, parsePair(flag, text, '=', 'boxes=100').value),
      },
      {
        flags: '--state <out=in>',
        about: 'an output that is an input of the next run',
        commands: JOB,
        repeat: true,
        later: true,
        syntax: pair('h_next=h'),
      },
      {
        flags: '--run <mode>',
        about: 'how several models share the chip',
        commands: JOB,
        values: ['exclusive', 'concurrent', 'joint'],
        built: ['exclusive'],
      },
    ],
  },
  {
    title: 'Files',
    rows: [
      { flags: '--out <dir>', about: 'where the files go (default: .)', commands: MAIN },
      {
        flags: '--name <base>',
        about: 'their name without extension (default: tensor_memory_pool)',
        commands: MAIN,
      },
      {
        flags: '--emit <list>',
        about: 'what to write (default: h,c)',
        commands: MAIN,
        list: true,
        values: ['h', 'c', 'json', 'html', 'svg', 'csv', 'md', 'trace', 'ld', 'pool', 'runner'],
        built: ['h', 'c', 'json', 'csv', 'md'],
      },
      {
        flags: '--prefix <name>',
        about: 'prefix of every C name (default: from the file name)',
        commands: JOB,
      },
      {
        flags: '--arena <how>',
        about: 'how the C gets its memory',
        commands: MAIN,
        values: ['static', 'extern', 'pointer'],
      },
      {
        flags: '--section <region=name>',
        about: 'linker section of an arena; REGION= for that of ordinary data',
        commands: MAIN,
        repeat: true,
      },
      {
        flags: '--table <form>',
        about: 'the offset table in the C',
        commands: MAIN,
        values: ['const', 'xmacro', 'none'],
      },
      { flags: '--header-only', about: 'one header and no .c file', commands: MAIN },
      {
        flags: '--depfile <file>',
        about: 'write what the result depends on, for make and ninja',
        commands: MAIN,
      },
      { flags: '--stamp <file>', about: 'touch this file when the job succeeded', commands: MAIN },
    ],
  },
  {
    title: 'Sharing and order',
    rows: [
      { flags: '--align <bytes>', about: 'alignment of offsets (default: the target says)', commands: JOB },
      {
        flags: '--size-round <bytes>',
        about: 'round buffer sizes up to a multiple (default: 1)',
        commands: JOB,
      },
      {
        flags: '--io <where>',
        about: 'graph inputs and outputs inside the arena, or owned by the caller',
        commands: JOB,
        values: ['arena', 'external'],
      },
      { flags: '--preserve-inputs', about: 'inputs keep their bytes to the end', commands: JOB },
      {
        flags: '--keep <tensor>',
        about: 'this tensor keeps its bytes to the end',
        commands: JOB,
        repeat: true,
      },
      {
        flags: '--async-io',
        about: 'inputs may be filled, outputs drained, during a run',
        commands: JOB,
      },
      { flags: '--no-in-place', about: 'no operator writes over its input', commands: JOB },
      { flags: '--no-in-place-inputs', about: 'none writes over a graph input', commands: JOB },
      { flags: '--no-views', about: 'Reshape and its like copy', commands: JOB },
      { flags: '--no-elide', about: 'Concat and Split always copy', commands: JOB },
      {
        flags: '--schedule <order>',
        about: 'order of steps',
        commands: JOB,
        values: ['model', 'min-peak'],
        built: ['model'],
      },
      { flags: '--strategy <name>', about: 'one way to pack, or auto: the best of all', commands: SOLVED },
      { flags: '--effort <n>', about: 'search steps to spend', commands: SOLVED },
    ],
  },
  {
    title: 'Kernels',
    rows: [
      {
        flags: '--kernels <library>',
        about: 'whose scratch sizes and rules hold',
        commands: JOB,
        values: ['none', 'reference', 'cmsis-nn', 'tflm', 'xnnpack', 'im2col'],
        built: ['none'],
      },
      {
        flags: '--kernels-version <v>',
        about: 'version of the kernel library',
        commands: JOB,
        later: true,
      },
      {
        flags: '--kernels-build <build>',
        about: 'build of the kernel library',
        commands: JOB,
        values: ['scalar', 'dsp', 'mve'],
        built: [],
      },
      {
        flags: '--layout <layout>',
        about: 'layout of activations',
        commands: JOB,
        values: ['nchw', 'nhwc'],
        built: ['nchw'],
      },
      {
        flags: '--fuse <what>',
        about: 'fusions the kernel library does',
        commands: JOB,
        values: ['none', 'default'],
      },
      {
        flags: '--scratch <node=bytes>',
        about: 'scratch of one node, by name or #index',
        commands: JOB,
        repeat: true,
        later: true,
        syntax: (flag, text) => parseSize(flag, parsePair(flag, text, '=', 'conv1=4K').value),
      },
    ],
  },
  {
    title: 'Memory of the chip',
    rows: [
      {
        flags: '--region <name>',
        about: 'region of the arena (default: the main one of the target)',
        commands: JOB,
      },
      {
        flags: '--reserve <region=bytes>',
        about: 'what the firmware needs there for itself: stack, heap, data',
        commands: JOB,
        repeat: true,
      },
      {
        flags: '--pin <tensor=region[@offset]>',
        about: 'place a tensor',
        commands: JOB,
        repeat: true,
        later: true,
        syntax: pin,
      },
      {
        flags: '--forbid <tensor=region>',
        about: 'keep a tensor out of a region',
        commands: JOB,
        repeat: true,
        later: true,
        syntax: pair('input=DTCM'),
      },
      {
        flags: '--dma <tensor[=engine]>',
        about: 'a tensor that a DMA reads or writes',
        commands: JOB,
        repeat: true,
        later: true,
      },
      {
        flags: '--weights <where>',
        about: 'where weights go',
        commands: JOB,
        values: ['flash', 'ram', 'hybrid'],
        built: ['flash'],
      },
      {
        flags: '--flash <bytes>',
        about: 'size of the flash',
        commands: JOB,
        later: true,
        syntax: parseSize,
      },
    ],
  },
  {
    title: 'Gates (exit code 1)',
    rows: [
      {
        flags: '--budget <[region=]bytes>',
        about: 'fail when the arena is larger',
        commands: JOB,
        repeat: true,
      },
      {
        flags: '--baseline <plan.json>',
        about: 'fail when the arena has grown since this plan',
        commands: MAIN,
      },
      {
        flags: '--max-growth <percent>',
        about: 'growth the baseline allows (default: 0%)',
        commands: MAIN,
      },
      {
        flags: '--check',
        about: 'write nothing; fail when a file is not what would be written',
        commands: MAIN,
      },
    ],
  },
  {
    title: 'This command',
    rows: [
      { flags: '--capacity <bytes>', about: 'stop at the first plan that fits', commands: ['solve'] },
      { flags: '--capacity <bytes>', about: 'nothing may end beyond it', commands: ['verify'] },
      { flags: '--out <file>', about: 'write the offsets as CSV', commands: ['solve'] },
      { flags: '--problem <file>', about: 'the problem that a solution.csv answers', commands: ['verify'] },
      { flags: '--tensor <name>', about: 'explain this tensor', commands: ['explain'] },
      { flags: '--node <name>', about: 'explain this node, by name or #index', commands: ['explain'] },
    ],
  },
  {
    title: 'Output',
    rows: [
      { flags: '--json', about: 'one JSON document on stdout and nothing else', commands: ALL },
      { flags: '--map', about: 'show the arena over the steps', commands: MAIN },
      { flags: '-q, --quiet', about: 'errors only', commands: ALL },
      { flags: '-v, --verbose', about: 'every tensor and every note', commands: ALL },
      {
        flags: '--report <form>',
        about: 'annotations and a job summary for a CI service',
        commands: MAIN,
        values: ['github'],
      },
      { flags: '--color', about: 'colour, whatever the terminal says', commands: ALL },
      { flags: '--no-color', about: 'no colour', commands: ALL },
      { flags: '--debug', about: 'show stack traces', commands: ALL },
    ],
  },
];
