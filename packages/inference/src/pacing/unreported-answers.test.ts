import { expect, it } from "vitest"
import { createUnreportedAnswers } from "./unreported-answers.ts"

it("Answers are counted by the ends of short times until they are taken", () => {
  let time = 1000
  const answers = createUnreportedAnswers(() => time)
  for (time of [1000, 1001, 1049, 1050, 1051]) answers.add()
  expect(answers.take()).toEqual([
    [1000, 1],
    [1050, 3],
    [1100, 1],
  ])
  expect(answers.take()).toEqual([])
})

it("Answers that could not be reported are counted again, until they are too old to matter", () => {
  let time = 1000
  const answers = createUnreportedAnswers(() => time)
  answers.add()
  const taken = answers.take()
  answers.add()
  answers.restore(taken)
  expect(answers.take()).toEqual([[1000, 2]])
  answers.restore(taken)
  time = 11_050
  answers.add()
  expect(answers.take()).toEqual([[11_050, 1]])
})
