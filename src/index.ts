/** The library: the stages of the program as functions, and the data between them. */

export { type RenderedFile, type RenderOptions, renderFiles } from './emit/render.ts';
export { type WrittenFile, writeFiles } from './emit/write.ts';
export { CODES, type Code, type Diagnostic, MemplanError } from './errors.ts';
export { type Dim, formatDim, formatShape } from './graph/dims.ts';
export type { ElementType } from './graph/element-type.ts';
export type { Fact, Graph, Node, Quant, Role, Tensor, TypedGraph } from './graph/types.ts';
export { readModel } from './model/read.ts';
export type { Model } from './model/types.ts';
export type { Observe, Work } from './observe.ts';
export { type Planned, planModel } from './pipeline.ts';
export { parsePlan } from './plan/read.ts';
export { type PlanRequest, planRequest } from './plan/request.ts';
export type {
  Assumptions,
  Plan,
  PlanBuffer,
  PlanConstant,
  PlanOptions,
  PlanRegion,
  PlanStep,
  PlanTensor,
  PlanTotals,
} from './plan/types.ts';
export * from './planner/index.ts';
export { csv as planCsv } from './report/csv.ts';
export { type DiffDocument, diffPlans } from './report/diff.ts';
export { diffMarkdown } from './report/diff-markdown.ts';
export { jsonText as planJson } from './report/json.ts';
export { markdown as planMarkdown } from './report/markdown.ts';
export { type Paint, plain } from './report/paint.ts';
export { summary as planSummary } from './report/summary.ts';
export { type PlanAgain, type ReuseChange, type ReuseReport, reuseReport } from './reuse/reuse.ts';
export { inferShapes } from './shape/infer.ts';
export { type Bindings, type Inferred, NO_BINDINGS } from './shape/types.ts';
export { listTargets, loadTarget } from './target/load.ts';
export type { Cpu, Region, Target } from './target/types.ts';
export { verifyPacking, verifyPlan } from './verify/verify.ts';
