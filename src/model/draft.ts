/** The graph while it is built: tensors that may still change, and the scopes that names live in. */
import type { Body, Constant, Fact, Role } from '../graph/types.ts';
import type { TensorSource } from './constant.ts';
import type { Faults } from './faults.ts';
import type { LocalFunction, LocalFunctions } from './functions.ts';
import type { AttributeProto, GraphProto } from './proto.ts';

export interface DraftTensor {
  readonly name: string;
  role: Role;
  declared: Fact | undefined;
  constant: Constant | undefined;
}

/** What a name stands for in its scope. */
export interface Named {
  /** undefined: an omitted argument of a function. */
  readonly tensor: number | undefined;
  /** What produces it, for messages; undefined: an output of a function that is not produced yet. */
  readonly maker: string | undefined;
}

/** The names of one graph, body or inlined function. */
export interface Scope {
  /** `if_1/then_branch`, or '' for the top. */
  readonly path: string;
  readonly outer: Scope | undefined;
  readonly names: Map<string, Named>;
  /** What the file declares about a name of this scope; `tensor` is its full name. */
  readonly declared: (name: string, tensor: string) => Fact | undefined;
}

/** An attribute with the surroundings that its graphs and references belong to. */
export interface Bound {
  readonly proto: AttributeProto;
  readonly surroundings: Surroundings;
}

/** What a node may refer to. */
export interface Surroundings {
  readonly scope: Scope;
  /** Attributes of the function that is being inlined. */
  readonly references: ReadonlyMap<string, Bound> | undefined;
  /** Opset versions of the function that is being inlined, where it has its own. */
  readonly opsets: ReadonlyMap<string, number>;
  /** The functions that are being inlined, outermost first. */
  readonly calls: readonly LocalFunction[];
}

/** Names that are taken, and for those that were wanted again the number to try next behind them. */
export interface Claimed {
  readonly taken: Set<string>;
  readonly numbers: Map<string, number>;
}

export interface Draft {
  readonly tensors: DraftTensor[];
  readonly tensorNames: Claimed;
  readonly labels: Claimed;
  readonly opsets: ReadonlyMap<string, number>;
  readonly functions: LocalFunctions;
  readonly source: TensorSource;
  readonly faults: Faults;
  /** Builds a control-flow body; here so that nodes need not know how graphs are built. */
  readonly buildBody: (graph: GraphProto, name: string, path: string, surroundings: Surroundings) => Body;
  nodeCount: number;
  /** Characters of all names and labels made so far. */
  nameCharacters: number;
  /** Nodes that stood before one that feeds them. */
  moved: number;
}
