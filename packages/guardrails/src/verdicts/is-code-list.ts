const PART =
  /^[\s*_`["'(-]{0,10}[SO]\d{1,2}(?:\s{0,5}[:)\]–—.-].{0,80}|(?:\s{1,5}[SO]\d{1,2}){0,40}[\s*_`"'\]).]{0,10})$/i

/** Whether a line lists codes, with or without their names, and nothing else. */
export function isCodeList(line: string): boolean {
  if (line.length > 2000) return false
  const parts = line.split(/[,;]/).filter((part) => part.trim() !== "")
  return parts.length > 0 && parts.every((part) => PART.test(part))
}
