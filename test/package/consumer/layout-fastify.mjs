// An application that is bundled: only of the other name.
import Fastify from 'fastify'
import { answers, params, print } from './layout-answers.cjs'

void print(answers(Fastify, params))
