/** Names to tensors: unique names, labels, scopes and look-ups. */
import { fail } from '../errors.ts';
import type { Role } from '../graph/types.ts';
import type { Claimed, Draft, Scope } from './draft.ts';
import { MAX_NAME_CHARACTERS, MAX_NODES } from './limits.ts';
import type { NodeProto } from './proto.ts';

export function newScope(path: string, outer?: Scope, declared: Scope['declared'] = () => undefined): Scope {
  return { path, outer, names: new Map(), declared };
}

/** Adds a tensor under a unique name: `<path>/<name>`, with a number where that is taken. */
export function addTensor(draft: Draft, scope: Scope, name: string, role: Role): number {
  const unique = claim(draft, draft.tensorNames, joined(scope.path, name));
  draft.tensors.push({ name: unique, role, declared: scope.declared(name, unique), constant: undefined });
  return draft.tensors.length - 1;
}

/**
 * Enters what `maker` produces and returns the tensor's index. A name that has a maker already is a fault; the
 * second tensor then gets an index of its own, for it must not look like a circle too.
 */
export function declare(draft: Draft, scope: Scope, name: string, role: Role, maker: string): number {
  const known = scope.names.get(name);
  if (known?.maker !== undefined) {
    const full = joined(scope.path, name);
    draft.faults.add(
      'E_DUPLICATE',
      `The tensor ${full} is produced twice: by ${known.maker} and by ${maker}.`,
      {
        tensor: full,
        hint: 'Give one of the two another name, or export the model again.',
      },
    );
    return addTensor(draft, scope, name, role);
  }
  const tensor = known?.tensor ?? addTensor(draft, scope, name, role);
  scope.names.set(name, { tensor, maker });
  return tensor;
}

/** Looks a name up from the inside out. */
export function resolve(scope: Scope, name: string): number | undefined | 'missing' {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const named = at.names.get(name);
    if (named !== undefined) return named.tensor;
  }
  return 'missing';
}

/** The label of a node: its name, or operator and place; with the place too where that is taken. */
export function labelOf(draft: Draft, scope: Scope, node: NodeProto, index: number): string {
  const plain = joined(scope.path, node.name || `${node.opType} #${index}`);
  return claim(
    draft,
    draft.labels,
    draft.labels.taken.has(plain) && node.name ? `${plain} #${index}` : plain,
  );
}

/** Counts what inlining makes, so that functions that call each other twice over come to an end. */
export function countNode(draft: Draft): void {
  draft.nodeCount += 1;
  if (draft.nodeCount > MAX_NODES) {
    fail('E_TOO_LARGE', `The model has more than ${MAX_NODES} nodes once its functions are inlined.`);
  }
}

export function joined(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

/** The name, with a number behind it where it is taken. */
function claim(draft: Draft, { taken, numbers }: Claimed, wanted: string): string {
  draft.nameCharacters += wanted.length;
  if (draft.nameCharacters > MAX_NAME_CHARACTERS) {
    fail('E_TOO_LARGE', `The names of the model have more than ${MAX_NAME_CHARACTERS} characters.`);
  }
  let name = wanted;
  for (let i = numbers.get(wanted) ?? 2; taken.has(name); i++) {
    name = `${wanted}~${i}`;
    numbers.set(wanted, i + 1);
  }
  taken.add(name);
  return name;
}

/** The tensors a node reads; a name that nothing produces is a fault. */
export function inputsOf(
  proto: NodeProto,
  label: string,
  scope: Scope,
  draft: Draft,
): (number | undefined)[] {
  return (proto.input ?? []).map((name) => {
    const input = name === '' ? undefined : resolve(scope, name);
    if (input !== 'missing') return input;
    draft.faults.add(
      'E_DANGLING',
      `The node ${label} (${proto.opType}) reads the tensor ${name}, which nothing produces.`,
      {
        node: label,
        tensor: name,
        hint: 'It is neither an input, nor an initializer, nor an output of a node; export the model again.',
      },
    );
    return undefined;
  });
}
