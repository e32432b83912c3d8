# Answers from 1 to 5: means, shares of each, the share of those who are content.
input answers: u8[person, question] in [1, 5]
output mean_answer = mean(f32(answers), axis=0)
output content = sum(answers >= 4, axis=0) / person
output spread = max(answers, axis=0) - min(answers, axis=0)
output total = sum(answers, axis=1)
