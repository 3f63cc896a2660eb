// The package has no types of its own.
declare module 'html-encoding-sniffer' {
  export default function sniff(
    bytes: Uint8Array,
    options: { xml: boolean; transportLayerEncodingLabel?: string; defaultEncoding: string },
  ): string;
}
