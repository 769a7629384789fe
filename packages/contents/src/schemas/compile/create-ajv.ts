import { Ajv, type Options } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import type { Dialect } from "./dialect.ts"
import { compileLinearPattern } from "./linear-pattern.ts"
import { exactMultipleOf } from "./multiple-of.ts"
import { linearUniqueItems } from "./unique-items.ts"

/**
 * A validator for schemas of users. Unknown keywords and `format` are annotations, as 2020-12 has it by default;
 * nothing is fetched, and no pattern can hang it.
 */
export function createAjv(dialect: Dialect, options: Options = {}): Ajv {
  const settings: Options = {
    ...options,
    strict: false,
    validateFormats: false,
    logger: false,
    code: { regExp: Object.assign((pattern: string) => compileLinearPattern(pattern), { code: "" }) },
  }
  const ajv = dialect === "2020-12" ? new Ajv2020(settings) : new Ajv(settings)
  // Schemas with `unevaluated*` are compiled elsewhere. For all others, the code that notes what was evaluated is work for
  // nothing, and it fails with a TypeError where `oneOf` meets `patternProperties`.
  ajv.opts.unevaluated = false
  ajv.removeKeyword("uniqueItems").addKeyword(linearUniqueItems)
  return ajv.removeKeyword("multipleOf").addKeyword(exactMultipleOf)
}
