// A URL list of 40 lines, plain and compressed by gzip, bzip2, xz and zstd.
import { Buffer } from 'node:buffer';

const text = Array.from({ length: 40 }, (_, k) => {
  const session = ((k * 2654435761) % 4294967296).toString(16);
  return `http://www.example.com/shop/item.php?id=${(k * 7919) % 997}&sid=${session}\n`;
});

export const TEXT = Buffer.from(text.join(''));

export const PACKED = {
  gzip: fromBase64(`
H4sIAAAAAAAAA5WVTW5bMQwG9zlIlvaj+COyQNGzUBIFB6gRAzHgHL/Nk9+e3mil2Qgzny73++3X+fx4PE7x7dfb3zj1z+v56/J5O3/c43q6XW5/Psbv
7f3r53y7JO8bLcICa7UGaVAVdxC7xEQpebDIDg53kQGYBqvYDlYdI6RTHoSyg1CBZaucBoV5BxtTH14kDbLpDjIqMY6aBwl2cEJrfaimQVLaQZ0TqaLl
wVJ3sETxvoWnQazLnN6loFvLg7DMETdrRD0NFl7m6IAy5khzYEscr5t69ciDtMQhpq0Az7zjy5tnU/kay9JGwSdQz8doskCYIRo1H6PB8q0FxKYlH6Py
8o07s8J4IUZbvk3XPpvmY6zHUmmnypiPUY6lktkiIh+jHEvFiKKWj5GPpULxKJSPkY+lAi/cZj5Gei6Vz2GD/YUYn0tFAUCT8zHic6mik3bb8jWWY6lc
NyotX2M5lkpbbV3yNcKxVOunyucIx1Jxkf8vm+/xOVTIUUxfqNEW52DsiPkaDZdwOPuAHvkaVZdwIzYysXyNWpZwtWOHjfI11mOqvKLarG//AITi2E7a
CAAA
`),
  bzip2: fromBase64(`
QlpoOTFBWSZTWTXL1DgAAo1ZgAAQAQH/8r9mzMBAAhucDjAagaNMmiYqMANBqngCAUmmgACKPyUHqAHqPUAAKipPSTxJpoDIMjSubSIEKYMBw4a4uXDg
OS96rSpuJEqMjI06bZ5tMMNsY33Rlnm1ww0xhryEfwj8EcxHYRkI6CNdPl5Nl5Y4cbny9/j4y8NW7dntoXaqFd280bSjwSlt5Oy7pYGzXw6JBpYKmcS/
UA6QlzAQKlSmSMwuFFgyDS22bEe4XAmUosVvkoEe6FhdzTnery4R+ahKYjyb4WrnYr3ba6hTtIlQaio65qEbkMzNL5rpcZZxOXxZHNMnwzDghkNtOW2C
GHbivdRCRe9nGiELKRU3XEnLEgfjdJtUeMzq7yVxArK13AHQQADoEAOhzs1EqSkYndjNmI315ADhez3Rtah6SZLw9IXNlxTM0tOCxRi7gBwLb42SdeFl
T0AA4QI371rHsAOErcSLNL1Vk02ZxXI5ADhsAOEGvRTGLoV67wgzxyI6COojL9WrapVVVW1baW2rbZbVSyltkn2IwI8xHcRqI4iO4jcI5iMhHMR2EaiO
4jqI3iN4juEZiOAj/F3JFOFCQNcvUOA=
`),
  xz: fromBase64(`
/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AjZAahdADQdLOA6CVou8Kpl9MuhQKx35t/pmdlXAhXAtst/Bjux+qyaGTXydlH1fr9K9OWYCRmKrxqKFY6I
fezoowVpJt5pEPfcHc7qGOgKk/sB/fj3AglNunmQ9k/T6ar4e87VzO4Vza7Wr6IVJQUEj0ywzbkBIiSEfmTHF6AL3rSZoua5u2v3tiT3j7xUNKc1+nfh
eVsxzx4waJSrIzl5XAlmE8SKwWFlnuk8x0f2kmQ5/gP/Xzz4T2WSK+rO1fC2mFIBSZVMaLogENBqNoe+BmH2k0c/OJnE7772dH/Y+eKQRNdH9RNKadju
eci18rfCCTYaVzLxrHCJ9zfFlw+c6fcgDnXBqUu7ixpHLaJui+VN9U4ydygiJi0VtKSa8r00YB19FSQ3Tkt0xAE0OCMnhF24EGzdla1gMHr1n+9M6rEE
JmSzqDyF2XCaA8iVvYcLhzV0aQzHtfWA/B/GEiZ04OvX8/EXD61FLv5p6dx/SS1O8VDEo7KbS3nB1Kkr1nleWKaBD1Objk8a/2TstOnNTMYPInbgcddR
NfpGWuZV7/jTmJNUo10CtwLstgAAyq6DAOuYRPUAAcQD2hEAABVigVqxxGf7AgAAAAAEWVo=
`),
  zstd: fromBase64(`
KLUv/QRYbQsApplBGZC30AFQWeFwsaPItLuGWZ/sJruTQHMvpydFADYANgB3eDnwJofGGt9dczFrHJHZkQirPHaV6pDNrF9bgDHgiIOAMeAIAsVBUUj8
AmFQGBwODAmDLnyBIsEJX0BAQDAYBBSLxSHlhoadkc1zso7k3fHiNK541GZkl7GGLBdh98jiH830lLSVVqWoqal6EzJlLL3OtE73kNjbjgSEz9cLGxdy
xHNr9Ix1uopVh/n/pCBiXVprnpLSyiU3zUfv+uy0SMfPk5mlfMUvo7jTNoVHSQMAWVYreTDRxnR1kt7i2nhX+x7vUltbVXw7uEu69FfjhZFupmCTJEpP
yIYy+dhW66++YjNvFVCoUTSnBZPv3wGwM4odEujDJE/w/z/DH0CKL3S+CgkEDivMlVaElEyDVp93KQPhlS++oApYXMUoN7UCUkrcWEKmo2rkXbjKZodB
KCqueL4n6tocy4qYtCblngHjNrba8oATaKuD7MUM
`),
} as const;

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
