import type { OpenedEvaluationFile } from "@assay/local"
import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { FOLDERS_VARIABLE } from "./read-evaluation.ts"

const PROFILES_VARIABLE = "ASSAY_EXECUTORS"
const ISOLATION_VARIABLE = "ASSAY_HARNESS_ISOLATION"

/**
 * Checks, where files of strangers run, that an evaluation file starts no command with the rights of this user: its harness, or a profile of
 * `./executors.yaml` that it names. Such a command could read the keys of this machine.
 * @throws `bad_usage`
 */
export function checkCommands({ env }: Context, { name, content }: OpenedEvaluationFile): void {
  if (env[FOLDERS_VARIABLE] === undefined) return
  const { config } = content
  if (typeof config === "string") return
  const profile = config.params?.executor
  if (profile !== undefined && (env[PROFILES_VARIABLE] ?? "") === "") {
    const message = `${name} names the executor '${printable(profile)}' of ./executors.yaml, which can come from others: name your own file of profiles in ${PROFILES_VARIABLE}.`
    throw new AssayError("bad_usage", message, { context: { remedy: remedyOf(PROFILES_VARIABLE) } })
  }
  if (config.type === "benchmark" && env[ISOLATION_VARIABLE] !== "trusted") {
    const message = `${name} starts the command of a harness with the rights of this user: set ${ISOLATION_VARIABLE}=trusted if files of strangers may do that.`
    throw new AssayError("bad_usage", message, { context: { remedy: remedyOf(ISOLATION_VARIABLE) } })
  }
}

function remedyOf(variable: string): string {
  return `Set ${variable}, or unset ${FOLDERS_VARIABLE} if all files here are yours.`
}
