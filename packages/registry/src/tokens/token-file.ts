import { chmod, open, rename } from "node:fs/promises"
import { AssayError, enumeration, Timestamp } from "@assay/schemas"
import { compileCheck } from "@assay/schemas/validation"
import { readRegularFile } from "@assay/storage"
import { Type, type Static } from "@sinclair/typebox"
import { ROLES } from "./grant.ts"

const StoredToken = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** SHA-256 of the whole token, lower-case hex. */
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  grants: Type.Array(Type.Object({ workspace: Type.String(), role: enumeration(ROLES) })),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.Optional(Type.String(Timestamp)),
})
export type StoredToken = Static<typeof StoredToken>

const TokenFile = Type.Object({ tokens: Type.Array(StoredToken) })

/** Reads the tokens of a token file. Returns none if there is no file. @throws `bad_settings` */
export async function readTokenFile(file: string): Promise<readonly StoredToken[]> {
  let value: unknown
  try {
    value = JSON.parse(await readRegularFile(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw new AssayError("bad_settings", `The token file '${file}' can't be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
  const checked = compileCheck(TokenFile)(value)
  if (checked.valid) return checked.value.tokens
  const places = checked.issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ")
  throw new AssayError("bad_settings", `The token file '${file}' is wrong: ${places}.`)
}

/** Replaces a token file atomically. Only its owner can read it. */
export async function writeTokenFile(file: string, tokens: readonly StoredToken[]): Promise<void> {
  const temporary = `${file}.new`
  const handle = await open(temporary, "w", 0o600)
  try {
    await handle.writeFile(`${JSON.stringify({ tokens }, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await chmod(temporary, 0o600)
  await rename(temporary, file)
}
