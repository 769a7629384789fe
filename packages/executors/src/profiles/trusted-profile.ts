import { isDeepStrictEqual } from "node:util"
import { AssayError, printable } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import type { SubmissionRequest } from "../follow/submissions.ts"
import { chooseProfile, type ExecutorProfile } from "./read-profile.ts"

export interface TrustPorts {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The words that started this process. */
  readonly program: readonly string[]
  /** The options of shards that this user allows: `--key-host HOST` for each host that may get keys, and `--pace URL`. */
  readonly options: readonly string[]
}

/**
 * Returns a request whose words this machine may start: those of this process, or of a profile of the user's own file. A run is a folder or a bucket that
 * others may write to, so what it says about programs is only compared.
 * @throws `bad_usage` if the user has no such profile, or another one of that name
 */
export async function trustedRequest<
  Request extends Pick<SubmissionRequest, "executor" | "profile" | "program" | "options">,
>(request: Request, { cwd, env, program, options }: TrustPorts): Promise<Request> {
  const { executor, profile } = request
  checkOptions(request.options, options)
  const own = await findProfile({
    ...(profile.name === undefined ? { executor } : { profile: profile.name }),
    cwd,
    env,
  })
  const isSame = own !== undefined && own.executor === executor && isDeepStrictEqual(own.values, profile.values)
  if (isSame) return { ...request, program: own.program ?? program }
  const named = profile.name === undefined ? "has values" : `is called '${printable(profile.name)}'`
  const message = `The run was submitted with a profile of ${printable(executor)} that ${named}, and your file of profiles has no such profile or another one. A run does not decide what is started here: name the file that has it in ASSAY_EXECUTORS, or give the run an engine with \`assay eval run FILE --profile NAME --out RUN\`.`
  throw new AssayError("bad_usage", message)
}

/** A run could name a model or a server of its own, and let keys be sent to it. @throws `bad_usage` */
function checkOptions(asked: readonly string[], allowed: readonly string[]): void {
  const known = new Set(allowed)
  const at = asked.findIndex((word) => word !== "--key-host" && word !== "--pace" && !known.has(word))
  const other = asked[at]
  if (other === undefined) return
  if (asked[at - 1] === "--pace") {
    const message = `The run asks to share rates by '${printable(other)}', which may get a token: give this address with --pace or in ASSAY_PACE if it is yours.`
    throw new AssayError("bad_usage", message)
  }
  const message = `The run asks to send keys to '${printable(other)}' or gives another option: name the host with --key-host or in ASSAY_KEY_HOSTS if its model may get them.`
  throw new AssayError("bad_usage", message)
}

async function findProfile(options: Parameters<typeof chooseProfile>[0]): Promise<ExecutorProfile | undefined> {
  try {
    return await chooseProfile(options)
  } catch (error) {
    if (isAssayError(error)) return undefined
    throw error
  }
}
