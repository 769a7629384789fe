import { chmod, open } from "node:fs/promises"
import { AssayError, enumeration, ROLES, Timestamp } from "@assay/schemas"
import { compileCheck } from "@assay/validation"
import { diskFailure, readRegularFile, replaceFile, takeProcessLock } from "@assay/storage"
import { Type, type Static } from "@sinclair/typebox"

const StoredToken = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** SHA-256 of the whole token, lower-case hex. */
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  grants: Type.Array(Type.Object({ workspace: Type.String(), role: enumeration(ROLES) })),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  /** Whether a server has seen that the token is expired. It stays so if the clock is set back. */
  is_expired: Type.Optional(Type.Boolean()),
  created_at: Type.Optional(Type.String(Timestamp)),
})
export type StoredToken = Static<typeof StoredToken>

const TokenFile = Type.Object({ tokens: Type.Array(StoredToken) })

/** Reads the tokens of a token file. Returns none if there is no file. @throws `bad_settings`, and the errors of `diskFailure` */
export async function readTokenFile(file: string): Promise<readonly StoredToken[]> {
  let value: unknown
  try {
    value = JSON.parse(await readRegularFile(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    const failure = diskFailure(error)
    if (failure !== undefined) throw failure
    throw new AssayError("bad_settings", `The token file '${file}' can't be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
  const checked = compileCheck(TokenFile)(value)
  if (checked.valid) return checked.value.tokens
  const faults = checked.issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ")
  throw new AssayError("bad_settings", `The token file '${file}' is wrong: ${faults}.`)
}

const POLL_MS = 10
const MAX_WAIT_MS = 5000

/**
 * Replaces the tokens of a token file with those that `change` returns, or leaves them if it throws. Other changes wait, also those of
 * other processes.
 * @throws `unavailable` if another process holds the lock for 5 seconds; `bad_settings`
 */
export async function changeTokenFile(
  file: string,
  change: (tokens: readonly StoredToken[]) => readonly StoredToken[],
): Promise<void> {
  using _lock = await lockTokenFile(file)
  await writeTokenFile(file, change(await readTokenFile(file)))
}

async function lockTokenFile(file: string): Promise<Disposable> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
    const lock = takeProcessLock(`${file}.lock`)
    if (lock !== undefined) return lock
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new AssayError("unavailable", `Another process is changing the token file '${file}': try again.`)
}

/** Replaces a token file atomically and durably. Only its owner can read it. An error leaves the former file. */
async function writeTokenFile(file: string, tokens: readonly StoredToken[]): Promise<void> {
  const temporary = `${file}.new`
  const handle = await open(temporary, "w", 0o600)
  try {
    await handle.writeFile(`${JSON.stringify({ tokens }, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await chmod(temporary, 0o600)
  await replaceFile(temporary, file)
}
