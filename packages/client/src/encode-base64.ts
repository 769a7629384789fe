/** Base64 without Node's Buffer, so that the client runs in browsers too. */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
}
