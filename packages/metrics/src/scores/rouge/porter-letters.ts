/**
 * Which letters of a word are consonants: all but a, e, i, o and u, and but y after a consonant. What a letter is depends on
 * those before it alone, so that one reading serves each beginning of the word.
 */
export function porterLetters(word: string): readonly boolean[] {
  const consonants: boolean[] = []
  for (const letter of word) {
    const isVowel = "aeiou".includes(letter) || (letter === "y" && consonants.at(-1) === true)
    consonants.push(!isVowel)
  }
  return consonants
}
