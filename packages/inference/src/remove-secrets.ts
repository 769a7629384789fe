const HIDDEN = "***"

/** What looks like a secret wherever it stands. Each pattern is linear: no repeated group has a choice in it. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/(:\/\/)[^\s/@"'<>]+@/g, `$1${HIDDEN}@`],
  [/\b(bearer|basic)(\s+|%20)[\w+/=:.~*-]+/gi, `$1 ${HIDDEN}`],
  [/\b(x-amz-(?:signature|credential|security-token)\\?["']?\s*[=:]\s*\\?["']?)[^\s"'&,;\\]+/gi, `$1${HIDDEN}`],
  [/\b((?:x-)?api[-_]?key\\?["']?\s*[=:]\s*\\?["']?)[^\s"'&,;\\]+/gi, `$1${HIDDEN}`],
  [/(?<![A-Za-z0-9])(?:sk-|nvapi-)[\w*-]{6,}/g, HIDDEN],
  [/(?<![A-Za-z0-9])hf_\w{6,}/g, HIDDEN],
  [/(?<![A-Za-z0-9])AIza[\w-]{16,}/g, HIDDEN],
  [/(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{12,}/g, HIDDEN],
]
/** Shorter ones would take letters out of every word. */
const SHORTEST = 4

/**
 * A text without what must not be kept of it: the `secrets` given, as they are and as URLs and JSON write them, bearer
 * values, the keys of known services by their shape, signatures of signed addresses, and user and password of URLs.
 */
export function removeSecrets(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const spelling of secrets.filter(({ length }) => length >= SHORTEST).flatMap(spellings)) {
    clean = clean.replaceAll(spelling, HIDDEN)
  }
  for (const [shape, instead] of SHAPES) clean = clean.replace(shape, instead)
  return clean
}

function spellings(secret: string): readonly string[] {
  const encoded = encodeURIComponent(secret.toWellFormed())
  const json = JSON.stringify(secret).slice(1, -1)
  const base64 = Buffer.from(secret).toString("base64")
  return [...new Set([secret, json, encoded, base64])].toSorted((a, b) => b.length - a.length)
}
