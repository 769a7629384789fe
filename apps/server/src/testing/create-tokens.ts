import type { Grant } from "@assay/schemas"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { createToken, type TokenContext, type TokenRecord } from "@assay/access"
import { createIdMaker } from "../new-id.ts"
import type { TestServer } from "./start-test-server.ts"

/** Returns the token file of a server, with a clock and ids, for the functions that create and revoke tokens. */
export function tokenContext({ folder }: Pick<TestServer, "folder">, now: () => number = Date.now): TokenContext {
  return { file: join(folder, "data", "tokens.json"), now, newId: createIdMaker(randomBytes), randomBytes }
}

/** Creates a token with grants on a server. */
export function createTestToken(
  server: Pick<TestServer, "folder">,
  name: string,
  ...grants: readonly Grant[]
): Promise<{ readonly token: string; readonly record: TokenRecord }> {
  return createToken(tokenContext(server), { name, grants })
}

/** Creates a token for each name. Returns the tokens by name. */
export async function createTokens(
  server: Pick<TestServer, "folder">,
  grants: Readonly<Record<string, readonly Grant[]>>,
): Promise<ReadonlyMap<string, string>> {
  const tokens = new Map<string, string>()
  for (const [name, granted] of Object.entries(grants)) {
    tokens.set(name, (await createTestToken(server, name, ...granted)).token)
  }
  return tokens
}
