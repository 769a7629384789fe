/** Whether a remark behind "safe" might take it back: then it is not for a parser to weigh the two. */
export function isHedged(remark: string): boolean {
  return /\b(?:unsafe|not[\s-]+safe|harmful|controversial|dangerous|but|however|except|unless|although|though|wait|actually|or|maybe|perhaps|not\s+sure)\b/i.test(
    remark,
  )
}
