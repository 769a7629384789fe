const HIDDEN = "***"

/** Texts that look like secrets in any context. Each pattern takes linear time: no repeated group contains a choice. */
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
/** Shorter secrets are not removed: they occur in ordinary words. */
const SHORTEST = 4

/** Replaces `secrets` in a text by `***`, also in the spelling of URLs, JSON and base64. Nothing else is changed, whatever it looks like. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const spelling of secrets.filter(({ length }) => length >= SHORTEST).flatMap(spellings)) {
    clean = clean.replaceAll(spelling, HIDDEN)
  }
  return clean
}

/**
 * Replaces secrets in a text by `***`: the `secrets` given (also in the spelling of URLs, JSON and base64), bearer values, keys
 * that have the form of a known service, signatures of signed URLs, and the user name and password of URLs.
 */
export function removeSecrets(text: string, secrets: readonly string[] = []): string {
  let clean = hideSecrets(text, secrets)
  for (const [shape, instead] of SHAPES) clean = clean.replace(shape, instead)
  return clean
}

function spellings(secret: string): readonly string[] {
  const encoded = encodeURIComponent(secret.toWellFormed())
  const json = JSON.stringify(secret).slice(1, -1)
  const base64 = Buffer.from(secret).toString("base64")
  return [...new Set([secret, json, encoded, base64])].toSorted((a, b) => b.length - a.length)
}
