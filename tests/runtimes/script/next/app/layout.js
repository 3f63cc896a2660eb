import { createElement } from 'react';

export default ({ children }) => createElement('html', null, createElement('body', null, children));
