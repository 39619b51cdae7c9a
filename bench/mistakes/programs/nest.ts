import 'reflect-metadata'
import {
  Body,
  Controller,
  ForbiddenException,
  Get,
  Module,
  NotFoundException,
} from '@nestjs/common'
import { Param, ParseIntPipe, Post, Query, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { Request } from 'express'

const users = [{ id: 1, name: 'Ada', password: 'secret' }]
const find = (id: number) => users.find((user) => user.id === id)

class User {
  id!: number
  name!: string
}
class Paging {
  limit?: number
}
class NewUser {
  name!: string
}

@Controller()
class Users {
  @Get('users/:id')
  one(@Param('id', ParseIntPipe) id: number): User {
    const user = find(id)
    if (!user) throw new NotFoundException('no such user')
    return user
  }

  @Get('users')
  all(): User[] {
    return users
  }

  @Post('users')
  add(@Body() body: NewUser): User {
    return { id: 2, name: body.name }
  }
}

@Module({ controllers: [Users] })
class App {}

async function text(path: string) {
  const app = await NestFactory.create(App, { logger: false })
  await app.listen(0)
  const body = await (await fetch(`${await app.getUrl()}${path}`)).text()
  await app.close()
  return body
}
export const one = (): Promise<string> => text('/users/1')
export const list = (): Promise<string> => text('/users')

export class Mistakes {
  // mistake: field
  @Get() field(): User {
    return { id: 1 }
  }
  // mistake: type
  @Get() type(): User {
    return { id: '1', name: 'Ada' }
  }
  // mistake: nothing
  @Get() nothing(@Param('id', ParseIntPipe) id: number): User {
    return find(id)
  }
  // mistake: status
  @Get() status(): User {
    throw new ForbiddenException('no')
  }
  // mistake: error
  @Get() error(): User {
    throw new NotFoundException({ text: 'no' })
  }
  // mistake: parameter
  @Get(':id') parameter(@Param('id', ParseIntPipe) id: number): User {
    id.toUpperCase()
    return { id, name: 'Ada' }
  }
  // mistake: query
  @Get() query(@Query() query: Paging): User {
    console.log(query.limt)
    return { id: 1, name: 'Ada' }
  }
  // mistake: path
  @Get('users/:user') path(@Param('id', ParseIntPipe) id: number): User {
    return { id, name: 'Ada' }
  }
  // mistake: scope
  @Get('open') scope(@Req() request: Request & { user: string }): string {
    return request.user
  }
}
// mistake: input
export const input = () => fetch('/users', { method: 'POST', body: JSON.stringify({ nam: 'Ada' }) })
// mistake: output
export const output = async () => {
  const body = await (await fetch('/users')).json()
  console.log(body[0].nam)
}
