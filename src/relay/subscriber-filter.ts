import type { FlashblockTraits } from './flashblock-traits.ts'

/** Flashblocks pass whole or not at all. Lower-case hex; an empty list asks for nothing. */
export type SubscriberFilter = { readonly [Kind in keyof FlashblockTraits]: readonly string[] } & {
  /** Between the kinds: `any` needs one that is met, `all` needs each that is asked for. Within a kind one value is enough. */
  readonly match: 'any' | 'all'
}

const KINDS = ['addresses', 'topics', 'methods'] as const

export function isMatch(filter: SubscriberFilter, traits: FlashblockTraits): boolean {
  const asked = KINDS.filter((kind) => filter[kind].length > 0)
  const isMet = (kind: keyof FlashblockTraits) => filter[kind].some((value) => traits[kind].has(value))
  return filter.match === 'any' ? asked.some(isMet) : asked.every(isMet)
}
