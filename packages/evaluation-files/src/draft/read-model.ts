import { AssayError, isAssayError, printable } from "@assay/schemas"
import { formatYaml, parseYaml } from "@assay/validation"
import { meantModel } from "../model-providers.ts"
import { readEvaluationCells } from "../read-evaluation-cells.ts"

/** A model as the user named it. */
export interface NamedModel {
  readonly url: string
  readonly name: string
}

/** Reads `URL#NAME`. @throws `bad_usage` for anything else, and for an address with a password */
export function readModel(answer: string): NamedModel {
  const at = answer.indexOf("#")
  const [url, name] = [answer.slice(0, at), answer.slice(at + 1)]
  if (at < 1 || name === "" || /\s/.test(url)) {
    const message = `'${printable(answer)}' is not a model with an address. ${meantModel(answer)}`
    throw new AssayError("bad_usage", message)
  }
  if (!["http:", "https:"].includes(URL.parse(url)?.protocol ?? "")) {
    const message = `'${printable(url)}' is not an address: it begins with http:// or https://, such as http://127.0.0.1:9000/v1.`
    throw new AssayError("bad_usage", message)
  }
  checkAsWritten({ url, model: name })
  return { url, name }
}

/** Names that a variable with a key can have; other names are of secrets. */
const VARIABLE = /^[A-Z][A-Z0-9_]*$/

/** Returns whether a key is in a variable. Otherwise it is a secret. */
export function isVariable(key: string): boolean {
  return VARIABLE.test(key)
}

/** Reads the name of a variable or a secret; undefined for `-`. @throws `bad_usage` for a key itself, and a variable that is not taken for a key */
export function readKey(answer: string, { url, name }: NamedModel): string | undefined {
  if (answer === "-" || answer === "") return undefined
  if (isVariable(answer) && !/KEY|TOKEN|SECRET/.test(answer)) {
    const message = `'${answer}' is not taken for a key: a variable with one has KEY, TOKEN or SECRET in its name.`
    throw new AssayError("bad_usage", message)
  }
  checkAsWritten({ url, model: name, key: answer })
  return answer
}

/** Checks a model as the file will have it. @throws `bad_usage` without a location, which the file does not have yet */
function checkAsWritten(model: object): void {
  try {
    readEvaluationCells(parseYaml(formatYaml({ model, data: [{}], checks: ["latency"] }), "model"))
  } catch (error) {
    if (!isAssayError(error)) throw error
    throw new AssayError("bad_usage", error.message.replace(/^model:\d+:\d+: /, ""), { cause: error })
  }
}
