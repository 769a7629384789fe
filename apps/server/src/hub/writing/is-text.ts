/** Whether the beginning of a file looks like text: UTF-8 without control characters other than white space. */
export function isText(sample: Uint8Array): boolean {
  try {
    // As a stream: the sample may end within a character.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true })
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text)
  } catch {
    return false
  }
}
