/** The options of a request that a plan keeps as they were given: nothing else in it says that they were. */
import type { PlanRequest } from './request.ts';
import type { PlanOptions } from './types.ts';

/** Only what was asked for beside the defaults; undefined: nothing was. In the order of the options' names. */
export function optionsOf(request: PlanRequest): PlanOptions | undefined {
  const { align, sizeRound, scratch, regions, place, weights, mpu, reserve, strategy, effort } = request;
  const given: PlanOptions = {
    ...some('align', align),
    ...some('dim', pairs(dimensionsOf(request))),
    ...some('effort', effort),
    ...some('inputShape', pairs(shapesOf(request), ':')),
    ...some('mpu', mpu ? 'yes' : undefined),
    ...some('place', place === 'auto' ? undefined : place),
    ...some('region', regions.length === 0 ? undefined : regions.join(', ')),
    ...some('reserve', pairs(reserve)),
    ...some('scratch', pairs(scratch)),
    ...some('sizeRound', sizeRound === 1 ? undefined : sizeRound),
    ...some('strategy', strategy === 'auto' ? undefined : strategy),
    ...some('weights', weights === 'flash' ? undefined : weights),
  };
  return Object.keys(given).length === 0 ? undefined : given;
}

function some(key: keyof PlanOptions, value: string | number | undefined): PlanOptions {
  return value === undefined ? {} : { [key]: String(value) };
}

function dimensionsOf({ bindings: { dims, all } }: PlanRequest): ReadonlyMap<string, number> {
  return all === undefined ? dims : new Map([...dims, ['*', all]]);
}

function shapesOf({ bindings: { inputShapes } }: PlanRequest): ReadonlyMap<string, string> {
  return new Map([...inputShapes].map(([name, shape]) => [name, shape.join(',')]));
}

/** `a=1, b=2`, however they were ordered. */
function pairs(values: ReadonlyMap<string, string | number>, sign = '='): string | undefined {
  if (values.size === 0) return undefined;
  return [...values]
    .map(([name, value]) => `${name}${sign}${value}`)
    .sort()
    .join(', ');
}
