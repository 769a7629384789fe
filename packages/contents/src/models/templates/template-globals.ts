/** Names of tokens that a tokenizer may give. */
export const TOKEN_NAMES = [
  "bos_token",
  "eos_token",
  "unk_token",
  "sep_token",
  "pad_token",
  "cls_token",
  "mask_token",
  "additional_special_tokens",
] as const

const LONGEST_RANGE = 100_000
/** The clock is not read: a sample is rendered alike on every day. */
const SAMPLE_DATE = "26 Jul 2024"

/** What every template finds, whoever renders it: the globals of `transformers`. */
export function templateGlobals(): Readonly<Record<string, unknown>> {
  return {
    true: true,
    True: true,
    false: false,
    False: false,
    none: null,
    None: null,
    range,
    strftime_now: () => SAMPLE_DATE,
    raise_exception(message: unknown) {
      throw new Error(`raises an exception: ${String(message)}`)
    },
  }
}

function range(first: number, last?: number, step = 1): readonly number[] {
  const [from, to] = last === undefined ? [0, first] : [first, last]
  const length = Math.max(0, Math.ceil((to - from) / step))
  if (!(length <= LONGEST_RANGE)) throw new Error(`range() of more than ${LONGEST_RANGE} numbers`)
  return Array.from({ length }, (_, index) => from + index * step)
}
