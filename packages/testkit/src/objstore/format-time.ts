/** A time as listings write it: S3 knows whole seconds. */
export function formatTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}.000Z`
}
