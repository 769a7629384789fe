/** Has a hyphen, so that no client takes an ETag for the MD5 of the bytes. */
const ENDING = "-a"

/** Returns the ETag of a file for S3 clients, with quotes. */
export function s3Etag(etag: string): string
export function s3Etag(etag: string | null): string | null
export function s3Etag(etag: string | null): string | null {
  return etag === null ? null : etag.replace(/"$/, `${ENDING}"`)
}

/** Returns our ETag for one that an S3 client sends in a condition. Some clients leave out the quotes. Other texts match no file. */
export function ownEtag(sent: string): string {
  const text = sent.trim()
  if (text === "*") return text
  const quoted = text.startsWith('"') ? text : `"${text}"`
  return quoted.endsWith(`${ENDING}"`) ? `${quoted.slice(0, -ENDING.length - 1)}"` : '"-"'
}
