import { jinjaGlobals, TemplateFailure } from "@assay/templates"

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

/** The clock is not read: a sample is rendered alike on every day. */
const SAMPLE_DATE = "26 Jul 2024"

/** What every template finds, whoever renders it: the globals of `transformers`. */
export function templateGlobals(): Readonly<Record<string, unknown>> {
  return {
    ...jinjaGlobals(),
    strftime_now: () => SAMPLE_DATE,
    raise_exception(message: unknown) {
      throw new TemplateFailure(`raises an exception: ${String(message)}`)
    },
  }
}
