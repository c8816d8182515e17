import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface CreationOptions {
  challenge: string;
  rp: { id?: string };
}

interface RequestOptions {
  challenge: string;
  rpId?: string;
}

/** Flags: the user was present and verified. A new credential also has its data. */
const flags = { signed: 0x05, created: 0x45 };

/** A software authenticator. It makes one passkey and answers challenges with it, as a browser does. */
export class Authenticator {
  readonly id = randomBytes(16);
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  private uses = 0;

  constructor(private readonly origin: string) {
    ({ privateKey: this.privateKey, publicKey: this.publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
    }));
  }

  createPasskey({ challenge, rp }: CreationOptions): object {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const idLength = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), idLength, this.id, isoCBOR.encode(key)]);
    const data = Buffer.concat([this.head(rp.id ?? '', flags.created), credential]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(data)],
    ]);
    return this.answer('webauthn.create', challenge, {
      attestationObject: text(Buffer.from(isoCBOR.encode(attestation as never))),
      transports: ['internal'],
    });
  }

  signIn({ challenge, rpId = '' }: RequestOptions): object {
    const data = this.head(rpId, flags.signed);
    const client = this.clientData('webauthn.get', challenge);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.answer('webauthn.get', challenge, {
      authenticatorData: text(data),
      signature: text(createSign('sha256').update(signed).sign(this.privateKey)),
    });
  }

  private head(domain: string, flag: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++this.uses);
    return Buffer.concat([createHash('sha256').update(domain).digest(), Buffer.from([flag]), counter]);
  }

  private answer(type: string, challenge: string, response: object): object {
    const id = text(this.id);
    const clientDataJSON = text(this.clientData(type, challenge));
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, ...response },
    };
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }
}

const text = (bytes: Buffer): string => bytes.toString('base64url');
