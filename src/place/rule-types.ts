/** Rules of the user about single tensors, by the tensor's name. */

/** `model`: index of the model whose tensor it is; default the first. */
export type Rule = { readonly model?: number; readonly tensor: string } & Kind;

type Kind =
  | { readonly kind: 'pin'; readonly region: string; readonly offset?: number }
  | { readonly kind: 'forbid'; readonly region: string }
  /** Without an engine: any that the target has. */
  | { readonly kind: 'dma'; readonly engine?: string }
  | { readonly kind: 'align'; readonly bytes: number }
  /** Unused bytes behind the tensor. */
  | { readonly kind: 'slack'; readonly bytes: number };

/** The rule as it is typed, for messages. */
export function ruleText(rule: Rule): string {
  switch (rule.kind) {
    case 'pin':
      return `--pin ${rule.tensor}=${rule.region}${rule.offset === undefined ? '' : `@${rule.offset}`}`;
    case 'forbid':
      return `--forbid ${rule.tensor}=${rule.region}`;
    case 'dma':
      return `--dma ${rule.tensor}${rule.engine === undefined ? '' : `=${rule.engine}`}`;
    case 'align':
      return `--align-tensor ${rule.tensor}=${rule.bytes}`;
    case 'slack':
      return `--slack ${rule.tensor}=${rule.bytes}`;
  }
}
