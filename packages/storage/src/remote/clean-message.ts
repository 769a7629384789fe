const MAX = 300

/**
 * Prepares the error text of a server for a message: one line of at most 300 characters, without the secrets given, and without
 * texts that look like a signature or a signed URL.
 */
export function cleanMessage(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) if (secret.length > 0) clean = clean.replaceAll(secret, "***")
  clean = clean
    .replace(/https?:\/\/\S+\?\S*/g, (address) => `${address.slice(0, address.indexOf("?"))}?***`)
    .replace(/\b(Bearer|Basic|AWS|ApiKey)\s+[\w+/=:.~*-]{8,}/gi, "$1 ***")
    .replace(/\b(signature|credential|token|secret|password|key)\s*[=:]\s*["']?[^\s"'&,;]{8,}/gi, "$1=***")
    // oxlint-disable-next-line no-control-regex -- control characters are what is removed
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, " ")
    .trim()
  return clean.length > MAX ? `${clean.slice(0, MAX)}…` : clean
}
