import { fingerprint, toHex } from 'nearprint/simhash';
import { NextResponse } from 'next/server';

export const proxy = () => NextResponse.next({ headers: { fingerprint: toHex(fingerprint('hello')) } });
