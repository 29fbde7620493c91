/** memplan check-elf <firmware.elf> --plan plan.json: whether the linker put the arenas where the plan needs them. */
import { checkFirmware } from '../../elf/check.ts';
import { readElf } from '../../elf/read.ts';
import { fail } from '../../errors.ts';
import { parsePlan } from '../../plan/read.ts';
import { firmwareReport, firmwareText } from '../../report/firmware.ts';
import { jsonText } from '../../report/json.ts';
import type { Context } from '../context.ts';
import { readBytes, readTextFile } from '../files.ts';
import type { Invocation } from '../program.ts';

export function command({ operands, options }: Invocation, context: Context): number {
  const [file = ''] = operands;
  const planFile = options.plan;
  if (typeof planFile !== 'string') {
    return fail('E_USAGE', 'check-elf needs the plan that the firmware was built from', {
      hint: `memplan check-elf ${file} --plan plan.json (--emit json writes it)`,
    });
  }
  const plan = parsePlan(readTextFile(context.at(planFile)), planFile);
  const firmware = checkFirmware(readElf(readBytes(context.at(file)), file), plan);
  context.diagnose(firmware.faults);
  const report = firmwareReport(file, plan, firmware);
  if (context.json) context.out(jsonText(report));
  else context.tell(firmwareText(report, context.outPaint));
  return report.ok ? 0 : 1;
}
