/** Facts about the verdict whose surrounding text is checked. */
export interface Explained {
  /** The verdict is a word for no, so a second no agrees with it. */
  readonly saysNo: boolean
  /** The answer calls the other side unsafe, so its sentences may be about that side. */
  readonly mayAccuse: boolean
}
