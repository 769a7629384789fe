import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"

/**
 * A key of the catalog. `bearer`: sent as it is. `exchanged`: sent only to the token service, which returns a token.
 */
export interface ApiKey {
  readonly kind: "bearer" | "exchanged"
  readonly value: string
}

const KINDS =
  "a personal or service key, which begins with 'nvapi-', or an older API key, which is exchanged for a token"

/** Prefixes of keys for other services. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^hf_/, "is a token of Hugging Face"],
  [/^(AKIA|ASIA)[0-9A-Z]{12,}$/, "is an access key id of AWS"],
  [/^(ghp_|gho_|github_pat_)/, "is a token of GitHub"],
  [/^glpat-/, "is a token of GitLab"],
  [/^sk-/, "is a key of a model API"],
  [/^eyJ[\w-]*\.[\w-]*\./, "is a token that expires within minutes"],
  [/^(Bearer|Basic|ApiKey)\b/i, "is a whole header"],
  [/^-----BEGIN/, "is a certificate or a private key"],
]

/**
 * Parses the key in a secret.
 * @throws `upstream_refused` for a value that can't be a key of the catalog. The value is never shown
 */
export function parseApiKey(value: string, secret: string, target: RemoteTarget): ApiKey {
  const fault = faultOf(value)
  if (fault === undefined) return { kind: value.startsWith("nvapi-") ? "bearer" : "exchanged", value }
  const what = `the value of secret '${secret}' ${fault}; set the secret to ${KINDS}.`
  throw remoteError("upstream_refused", target, what)
}

function faultOf(value: string): string | undefined {
  if (value.trim() === "") return "is empty"
  const other = OTHERS.find(([pattern]) => pattern.test(value.trim()))
  if (other !== undefined) return other[1]
  if (/[\r\n]/.test(value)) return "has more than one line"
  if (/\s/.test(value)) return "has a space in it"
  return /^[\x21-\x7e]+$/.test(value) ? undefined : "has characters that no key has"
}
