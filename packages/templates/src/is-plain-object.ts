/** Whether an object is of no class. One of another realm has another prototype, whose own is null like that of ours. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
