import { AssayError, type HubSettingsBody } from "@assay/schemas"
import type { Static } from "@sinclair/typebox"

/** Settings that have an effect on a hub. Others are refused by name. */
const KNOWN: ReadonlySet<string> = new Set(["private", "visibility", "gated"])

/**
 * Checks that settings are those that a repository has already. The grants of tokens decide who sees a fileset in its workspace, and
 * for the whole server by whether it requires tokens.
 * @throws `bad_request`, which names the setting that can't be changed
 */
export function checkSettings(
  { private: wanted, visibility, gated = false, ...others }: Static<typeof HubSettingsBody>,
  { isPrivate }: { readonly isPrivate: boolean },
): void {
  const unknown = Object.keys(others).find((key) => !KNOWN.has(key))
  if (unknown !== undefined) {
    throw new AssayError("bad_request", `This hub has no setting '${unknown}'; leave it out.`)
  }
  if (gated !== false) {
    throw new AssayError(
      "bad_request",
      `gated: '${gated}' is not possible here: no repository asks for access. Give tokens a role in its workspace instead.`,
    )
  }
  const isWantedPrivate = wanted ?? (visibility === undefined ? isPrivate : visibility !== "public")
  if (isWantedPrivate === isPrivate) return
  const message = isPrivate
    ? "private: false is not possible here: this server requires a token for every repository. Give readers a token with the role viewer."
    : "private: true is not possible here: this server requires no tokens (ASSAY_AUTH). Turn them on to make all repositories private."
  throw new AssayError("bad_request", message)
}
