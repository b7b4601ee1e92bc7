import { type Layer, type Look, nothing } from '../view/look.ts';
import { isCollapsing } from './collapse-spans.ts';

/** While what a layer stands aside for old spans that collapse. */
export interface YieldRule {
  /** Whether spans collapse where the user's switch says nothing. */
  readonly enabled: boolean;
  /** From this share of the effective window on the layer acts all the same; never by default. */
  readonly until?: number;
}

/**
 * The same layer, which does nothing unasked while old spans collapse: one of the two keeps the tokens down. What somebody
 * asked for, what a provider refused, and limits besides tokens are as always.
 */
export const yieldToCollapse = (layer: Layer, { enabled, until = Infinity }: YieldRule): Layer => ({
  ...layer,
  decide(look) {
    const { budget, trigger } = look.given;
    const yields = trigger === 'auto' && isCollapsing(look, enabled) && look.tokens < budget.effective * until;
    return yields && !isOverOtherwise(look) ? nothing : layer.decide(look);
  },
});

const isOverOtherwise = ({ over }: Look): boolean => over.bytes > 0 || over.images > 0 || over.messages > 0;
