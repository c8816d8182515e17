import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { NotFound } from '#libs/platform/errors/errors';

export interface Account {
  id: string;
  email: string;
  name: string;
  /** When the address was proven by a mail or an identity provider; null: never. */
  emailProvenAt: Date | null;
}

/** The accounts of people. They belong to no workspace, so the system role reads them. */
@Injectable()
export class Users {
  constructor(private readonly database: Database) {}

  async getUser(id: string): Promise<Account> {
    const [user] = await this.database.system<Account>(
      'select id, email, name, email_proven_at as "emailProvenAt" from users where id = $1',
      [id],
    );
    if (!user) throw new NotFound('user');
    return user;
  }

  async renameUser(id: string, name: string): Promise<void> {
    await this.database.system('update users set name = $2 where id = $1', [id, name]);
  }
}
