// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "./ERC20.sol";

/// @title Dawn
/// @notice A token of eighteen decimals whose whole supply exists from the first day and can only shrink.
contract DawnToken is ERC20 {
    constructor(address treasury, uint256 supply) ERC20("Dawn", "DAWN", 18) {
        _mint(treasury, supply);
    }

    /// @notice Destroys `value` of the caller's tokens for good.
    function burn(uint256 value) external {
        _burn(msg.sender, value);
    }
}
