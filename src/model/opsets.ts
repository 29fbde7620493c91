/** Which version of which operator set a model or function follows. */
import type { Faults } from './faults.ts';
import { exact, type OperatorSetId } from './proto.ts';

/** '' and 'ai.onnx' are two names of one domain; '' is used. */
export function domainOf(name: string | null | undefined): string {
  return name == null || name === 'ai.onnx' ? '' : name;
}

/** Domain to version. A domain imported twice in different versions is a fault; `owner` names whose imports these are. */
export function readOpsets(
  imports: readonly OperatorSetId[],
  owner: string,
  faults: Faults,
): Map<string, number> {
  const opsets = new Map<string, number>();
  for (const { domain: name, version: given } of imports) {
    const domain = domainOf(name);
    const version = Number(exact(given ?? 0));
    const other = opsets.get(domain);
    if (other !== undefined && other !== version) {
      const text = `${owner} follows two versions of the operator set ${domain || 'ai.onnx'}: ${other} and ${version}.`;
      faults.add('E_MODEL', text);
    }
    opsets.set(domain, version);
  }
  return opsets;
}
