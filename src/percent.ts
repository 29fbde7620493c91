/** Shares as people write them. */

/** More decimals tell no two numbers of bytes apart. */
const MOST_DECIMALS = 14;

/** `8.2 %`, `99.97 %`: one decimal, and more where 100 or 0 would stand for what is not all or nothing. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return part === 0 ? '0 %' : 'all of 0';
  const exact = (part / whole) * 100;
  const says = (decimals: number) => Number(exact.toFixed(decimals));
  const tells = (decimals: number) =>
    (says(decimals) !== 0 || part === 0) && (says(decimals) !== 100 || part === whole);
  let decimals = 1;
  while (!tells(decimals) && decimals < MOST_DECIMALS) decimals++;
  return `${exact.toFixed(decimals)} %`;
}
