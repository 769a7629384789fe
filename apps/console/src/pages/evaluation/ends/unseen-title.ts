/** Shows a text as the title of the tab until somebody looks at the tab. Does nothing if somebody does. */
export function showUnseenTitle(text: string): void {
  if (!document.hidden) return
  const { dataset } = document.documentElement
  dataset["title"] ??= document.title
  document.title = text
  document.addEventListener("visibilitychange", restoreTitle)
}

function restoreTitle(): void {
  const { dataset } = document.documentElement
  if (document.hidden || dataset["title"] === undefined) return
  document.title = dataset["title"]
  delete dataset["title"]
  document.removeEventListener("visibilitychange", restoreTitle)
}
