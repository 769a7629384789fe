declare module "virtual:report-style.css"
declare module "virtual:error-words" {
  import type { ErrorCode } from "@assay/schemas"
  export const ERROR_WORDS: Readonly<Record<ErrorCode, { readonly meaning: string; readonly remedy: string }>>
}
