import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { type Static, type TObject, Type } from "@sinclair/typebox"
import { AssayError, boundText, misspeltName, printable } from "@assay/schemas"
import { messageOf } from "@assay/schemas/errors"
import { isObject } from "@assay/json"
import { removeSecrets } from "@assay/inference"
import { readLocalText } from "@assay/storage"
import { EXECUTOR_NAMES, loadExecutor } from "./executors.ts"

/** The keys that profiles of all executors have. */
const COMMON = {
  executor: Type.String(),
  /** The words that start `assay` where shards run. */
  program: Type.Optional(
    Type.Union([
      Type.String({ minLength: 1 }),
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 100 }),
    ]),
  ),
  shards: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  at_once: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  /** The folder or bucket in which a server keeps the runs of jobs. */
  place: Type.Optional(Type.String({ minLength: 1 })),
}
type CommonKeys = Static<TObject<typeof COMMON>>

/** How an executor is used: a profile of a file, or the defaults of an executor. */
export interface ExecutorProfile {
  readonly executor: string
  /** The name of the profile in its file. Undefined: the defaults. */
  readonly name?: string | undefined
  /** The words that start `assay` where shards run. Undefined: as this process was started. */
  readonly program?: readonly string[] | undefined
  readonly shards?: number | undefined
  readonly atOnce?: number | undefined
  readonly retries?: number | undefined
  /** The folder or bucket in which a server keeps the runs of jobs. The command line takes `--out`. */
  readonly place?: string | undefined
  /** The keys of the executor. */
  readonly values: object
}

export interface ChooseProfileOptions {
  /** The executor of the command line. */
  readonly executor?: string | undefined
  /** The profile of the command line. */
  readonly profile?: string | undefined
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const VARIABLE = "ASSAY_EXECUTORS"
const DEFAULT_FILE = "./executors.yaml"

/**
 * Returns the profile that the command line names, from the file of ASSAY_EXECUTORS or `./executors.yaml`, or the defaults of an executor.
 * @throws `bad_usage` for a name that does not exist, `bad_document` with file, line and key for a profile that is not valid
 */
export async function chooseProfile({ executor, profile, cwd, env }: ChooseProfileOptions): Promise<ExecutorProfile> {
  if (profile === undefined) {
    const named = executor ?? ""
    await loadExecutor(named)
    return checkedProfile(
      { executor: named },
      { where: (key) => `--executor ${named}: ${describeKey(key)}`, name: undefined },
    )
  }
  const file = (env[VARIABLE] ?? "") === "" ? DEFAULT_FILE : (env[VARIABLE] ?? "")
  if (!existsSync(resolve(cwd, file))) {
    const message = `There is no file '${printable(file)}' with the profile '${printable(profile)}': write it, or name another file in ${VARIABLE}.`
    throw new AssayError("bad_usage", message)
  }
  const { parseYaml } = await import("@assay/validation")
  const { value, locationOf } = parseYaml(await readLocalText(resolve(cwd, file)), file)
  const profiles = isObject(value) ? value["profiles"] : undefined
  if (!isObject(profiles)) {
    throw new AssayError("bad_document", `${locationOf("")}: The file needs 'profiles', an object of profiles by name.`)
  }
  checkNames(Object.keys(profiles), (name) => locationOf(`/profiles/${escapeStep(name)}`))
  if (!Object.hasOwn(profiles, profile)) throw noProfile(profile, file, Object.keys(profiles))
  const pointer = (key: readonly string[]) => ["", "profiles", profile, ...key].map(escapeStep).join("/")
  const where = (key: readonly string[]) => `${locationOf(pointer(key))}: ${describeKey(key)}`
  const found = await checkedProfile(profiles[profile], { where, name: profile })
  if (executor !== undefined && executor !== found.executor) {
    const message = `The profile '${printable(profile)}' is for the executor '${found.executor}', not '${printable(executor)}': leave out --executor.`
    throw new AssayError("bad_usage", message)
  }
  return found
}

const NAME = /^[A-Za-z0-9][\w.-]{0,62}$/

/** @throws `bad_document` for a name that could not be written in commands, files of jobs and messages as it is */
function checkNames(names: readonly string[], locate: (name: string) => string): void {
  const odd = names.find((name) => !NAME.test(name))
  if (odd === undefined) return
  const shown = printable(boundText(odd, 100))
  const message = `${locate(odd)}: '${shown}' is not a name of a profile: use 1 to 63 letters, digits, '.', '_' and '-', and begin with a letter or a digit.`
  throw new AssayError("bad_document", message)
}

interface CheckOptions {
  readonly name: string | undefined
  /** Returns the location of a key, for a message. */
  readonly where: (key: readonly string[]) => string
}

async function checkedProfile(value: unknown, { name, where }: CheckOptions): Promise<ExecutorProfile> {
  if (!isObject(value)) throw new AssayError("bad_document", `${where([])}Must be an object.`)
  const leak = findSecret(value)
  if (leak !== undefined) {
    const message = `${where(leak)}It contains a key, and a profile is kept in the run: put the key into a variable of the processes.`
    throw new AssayError("bad_document", message)
  }
  const { executor } = value
  if (typeof executor !== "string" || !EXECUTOR_NAMES.includes(executor)) {
    const shown = typeof executor === "string" ? `There is no executor '${printable(executor)}'. ` : ""
    throw new AssayError("bad_document", `${where(["executor"])}${shown}Must be one of: ${EXECUTOR_NAMES.join(", ")}.`)
  }
  const { schema, check, program: usual } = await loadExecutor(executor)
  const { compileCheck } = await import("@assay/validation")
  const whole = Type.Object({ ...COMMON, ...schema.properties }, { additionalProperties: false })
  const checked = compileCheck(whole)(structuredClone(value))
  if (!checked.valid) {
    // An unknown key first: it can be a misspelt one that another issue misses.
    const issue = checked.issues.find(({ type }) => type === "extra_forbidden") ?? checked.issues[0]
    const key = (issue?.loc ?? []).map(String)
    const said = issue?.msg ?? "Not valid"
    const { description } = schema.properties[key[0] ?? ""] ?? {}
    const meant = description === undefined ? "" : ` ${description}`
    throw new AssayError("bad_document", `${where(key)}${said}${/[.?]$/.test(said) ? "" : "."}${meant}`)
  }
  const all = checked.value as CommonKeys & Record<string, unknown>
  const { program, shards, at_once: atOnce, retries, place } = all
  const own = Object.fromEntries(Object.entries(all).filter(([key]) => Object.hasOwn(schema.properties, key)))
  const fault = check?.(own)
  if (fault !== undefined) throw new AssayError("bad_document", `${where([fault.key])}${fault.message}`)
  return {
    executor,
    name,
    program: typeof program === "string" ? program.trim().split(/\s+/) : (program ?? usual),
    shards,
    atOnce,
    retries,
    place,
    values: own,
  }
}

/** Returns the key of a string that looks like a secret. Undefined: there is none. */
function findSecret(value: unknown, key: readonly string[] = []): readonly string[] | undefined {
  if (typeof value === "string") return removeSecrets(value) === value ? undefined : key
  if (typeof value !== "object" || value === null) return undefined
  for (const [name, one] of Object.entries(value)) {
    const found = findSecret(one, [...key, name])
    if (found !== undefined) return found
  }
  return undefined
}

function describeKey(key: readonly string[]): string {
  return key.length === 0 ? "" : `'${printable(key.join("."))}': `
}

function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1")
}

function noProfile(name: string, file: string, known: readonly string[]): AssayError {
  const meant = misspeltName(name, known)
  const hint = meant === undefined ? "" : ` Did you mean '${printable(meant)}'?`
  const listed = known.length === 0 ? "It has none." : `It has: ${printable(known.slice(0, 20).join(", "))}.`
  return new AssayError("bad_usage", `${printable(file)} has no profile '${printable(name)}'. ${listed}${hint}`)
}

/** Returns a profile again that a run has stored. @throws `bad_document` if this program does not accept it */
export async function profileOfRun(
  stored: Pick<ExecutorProfile, "executor" | "name" | "values">,
): Promise<ExecutorProfile> {
  const { executor, name, values } = stored
  const where = (key: readonly string[]) => `The stored profile of the run: ${describeKey(key)}`
  try {
    return await checkedProfile({ ...values, executor }, { where, name })
  } catch (cause) {
    throw new AssayError("bad_document", messageOf(cause), { cause })
  }
}
