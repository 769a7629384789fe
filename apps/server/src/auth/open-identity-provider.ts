import { performance } from "node:perf_hooks"
import { createIdentityProvider, type IdentityProvider } from "@assay/access"
import type { Registry } from "@assay/registry"
import { AssayError, isAssayError, messageOf, parseSecretRef } from "@assay/schemas"
import type { ServerContext } from "../server-context.ts"
import type { Settings } from "../settings/settings-schema.ts"

/** The path to which the provider sends browsers back. Clients are registered with it. */
export const CALLBACK_PATH = "/session/oidc/callback"
/** The workspace of the secrets that settings name without a workspace. */
const OPERATORS_WORKSPACE = "system"

interface Stored extends Pick<Registry, "endedSessions"> {
  readonly secrets: Pick<Registry["secrets"], "resolve">
}

/** Opens the identity provider of the settings. Undefined: they name none. Its secret is read when a sign-in needs it. */
export function openIdentityProvider(
  { settings, now, randomBytes }: Pick<ServerContext, "settings" | "now" | "randomBytes">,
  { secrets, endedSessions: ended }: Stored,
  key: Uint8Array,
): IdentityProvider | undefined {
  const { ASSAY_AUTH: auth, ASSAY_OIDC_ISSUER: issuer } = settings
  if (auth !== "oidc" || issuer === undefined) return undefined
  return createIdentityProvider({
    issuer,
    clientId: settings.ASSAY_OIDC_CLIENT_ID,
    clientSecret: async () => readSecret(settings, secrets),
    audiences: settings.ASSAY_OIDC_AUDIENCE,
    rules: settings.ASSAY_OIDC_GRANTS,
    scopes: settings.ASSAY_OIDC_SCOPES,
    publicUrl: (settings.ASSAY_PUBLIC_URL ?? "").replace(/\/+$/, ""),
    callbackPath: CALLBACK_PATH,
    key,
    ended,
    fetch,
    elapsed: () => performance.now(),
    now,
    randomBytes,
  })
}

async function readSecret(
  { ASSAY_OIDC_CLIENT_SECRET: reference }: Settings,
  secrets: Pick<Registry["secrets"], "resolve">,
): Promise<string | undefined> {
  if (reference === undefined) return undefined
  const { workspace, name } = parseSecretRef(reference, OPERATORS_WORKSPACE)
  try {
    return await secrets.resolve(workspace, name)
  } catch (error) {
    if (!isAssayError(error)) throw error
    throw new AssayError(
      "unavailable",
      `Nobody can sign in, because the secret of ASSAY_OIDC_CLIENT_SECRET can't be read: ${error.message} Set it with \`assay secret set ${workspace}/${name}\`.`,
      { cause: error },
    )
  }
}

/** Asks the identity provider of the settings, for a server that does not run yet. Undefined: they name none. @throws `unavailable` */
export async function checkIdentityProvider(
  context: Pick<ServerContext, "settings" | "now" | "randomBytes">,
): Promise<string | undefined> {
  const none = { end: async () => {}, isEnded: async () => false }
  const provider = openIdentityProvider(
    context,
    { secrets: { resolve: async () => "" }, endedSessions: none },
    new Uint8Array(32),
  )
  await provider?.check()
  return provider?.issuer
}

/** Asks the provider in the background, and logs whether it answers. A server works without it: its own tokens stay valid. */
export function announceProvider(provider: IdentityProvider, { logger }: Pick<ServerContext, "logger">): void {
  const { issuer } = provider
  provider.check().then(
    () => logger.info({ issuer }, "The identity provider answers"),
    (error: unknown) => logger.warn({ issuer }, messageOf(error)),
  )
}
