// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "./ERC20.sol";

/// @title Aurora Dollar
/// @notice A dollar-like token of six decimals. One issuer mints against deposits and burns on redemption.
contract AuroraDollar is ERC20 {
    /// @notice Only the issuer may do this; `caller` is not the issuer.
    error NotIssuer(address caller);

    /// @notice The one account that mints.
    address public immutable issuer;

    constructor(address issuer_) ERC20("Aurora Dollar", "AUSD", 6) {
        issuer = issuer_;
    }

    /// @notice Issues `value` new dollars to `to`.
    function mint(address to, uint256 value) external {
        if (msg.sender != issuer) revert NotIssuer(msg.sender);
        _mint(to, value);
    }

    /// @notice Redeems `value` of the caller's dollars.
    function redeem(uint256 value) external {
        _burn(msg.sender, value);
    }
}
