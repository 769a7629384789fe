import { printable } from "@assay/schemas"
import { readEvaluationCells } from "@assay/evaluation-files"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { formatYaml, parseYaml } from "@assay/validation"
import type { Context } from "../../context.ts"
import { type Asker, readYesNo } from "./ask.ts"
import { probeModel } from "./probe-model.ts"

/** The answer that takes the fake endpoint instead of a model. */
export const FAKE_WORD = "fake"

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
    const message = `'${printable(answer)}' is not a model: write its address and its name, such as http://127.0.0.1:9000/v1#chat.`
    throw new AssayError("bad_usage", message)
  }
  if (!["http:", "https:"].includes(URL.parse(url)?.protocol ?? "")) {
    const message = `'${printable(url)}' is not an address: it begins with http:// or https://, such as http://127.0.0.1:9000/v1.`
    throw new AssayError("bad_usage", message)
  }
  checkAsWritten({ url, model: name })
  return { url, name }
}

/**
 * Reads a model, and asks whether to keep it if its endpoint does not answer or does not list its name.
 * @throws `bad_usage` for a model that can't be read, or that the user does not keep
 */
export async function readAnsweringModel(context: Context, asker: Asker, answer: string): Promise<ProbedAnswer> {
  const model = readModel(answer)
  if (!asker.isInteractive) return { ...model, needsKey: false }
  const { fault, needsKey } = await probeModel(context, model)
  if (fault === undefined) return { ...model, needsKey }
  await asker.say(fault)
  if (await asker.ask("Keep this model? y or n", "n", readYesNo)) return { ...model, needsKey }
  throw new AssayError("bad_usage", "Write another model.")
}

export type ProbedAnswer = NamedModel & { readonly needsKey: boolean }

/** Names that a variable with a key can have; other names are of secrets. */
const VARIABLE = /^[A-Z][A-Z0-9_]*$/

/**
 * Asks for the variable or the secret with the key of a model, and says if it is not set or refused.
 * @returns undefined for none
 */
export async function chooseKey(context: Context, asker: Asker, model: ProbedAnswer): Promise<string | undefined> {
  const question = `Variable or secret with its key, or - for none${model.needsKey ? " (it asks for a key)" : ""}`
  const key = await asker.ask(question, "-", (answer) => readKey(answer, model))
  if (key === undefined || !VARIABLE.test(key)) return key
  const value = context.env[key] ?? ""
  if (value === "") {
    await asker.say(`${key} is not set in this shell: set it before you run the file.`)
    return key
  }
  // The user named the host and the variable just now.
  const { fault } = await probeModel(context, { ...model, key: value })
  if (fault !== undefined) await asker.say(fault)
  return key
}

/** Reads the name of a variable or a secret; undefined for `-`. @throws `bad_usage` for a key itself, and a variable that is not taken for a key */
export function readKey(answer: string, { url, name }: NamedModel): string | undefined {
  if (answer === "-" || answer === "") return undefined
  if (VARIABLE.test(answer) && !/KEY|TOKEN|SECRET/.test(answer)) {
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
