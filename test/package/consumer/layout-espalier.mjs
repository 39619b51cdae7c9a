// An application that is bundled: only of the one name.
import espalier, { t } from 'espalier'
import { answers, print } from './layout-answers.cjs'

const params = t.Object({ id: t.Integer(), day: t.String({ format: 'date' }) })
void print(answers(espalier, params))
