const DIGIT_BEYOND_ASCII = /(?![0-9])\p{Nd}/u
const EACH_DIGIT_BEYOND_ASCII = /(?![0-9])\p{Nd}/gu

/** The same text with the decimal digits of all scripts written 0 to 9. */
export function asciiDigits(text: string): string {
  if (!DIGIT_BEYOND_ASCII.test(text)) return text
  return text.replace(EACH_DIGIT_BEYOND_ASCII, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)))
}

/** Unicode lists decimal digits in blocks of ten from 0 to 9, some of them one right after another. */
function digitValue(codePoint: number): number {
  let first = codePoint
  while (DIGIT_BEYOND_ASCII.test(String.fromCodePoint(first - 1))) first -= 1
  return (codePoint - first) % 10
}
