/** The whole flow, readable in one screen. */

import type { PlanRequest } from './plan/request.ts';
import type { Plan } from './plan/types.ts';

export type PlanModel = (request: PlanRequest) => Plan;
